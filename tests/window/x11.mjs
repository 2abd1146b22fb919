// As much of the X11 protocol as a pair of hands needs: moving the pointer, pressing buttons and keys, and telling
// programs how many dots an inch has. X Window System Protocol, version 11, and the extension XTEST, version 2.2.

import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';

const request = { changeProperty: 18, getInputFocus: 43, queryExtension: 98 };
const xtestFakeInput = 2;
const event = { keyPress: 2, keyRelease: 3, buttonPress: 4, buttonRelease: 5, motion: 6 };
const atom = { resourceManager: 23, string: 31 };

/** Keycodes of an ordinary keyboard under Linux (evdev). */
export const key = { escape: 9, tab: 23, enter: 36, control: 37, left: 113, right: 114, pageDown: 117, z: 52 };

const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

export class Hands {
  /** @param {string} display ":7" */
  static async on(display) {
    const hands = new Hands();
    hands.socket = connect(join('/', 'tmp', '.X11-unix', `X${display.slice(1)}`)); // wherever TMPDIR is
    hands.received = Buffer.alloc(0);
    hands.socket.on('data', (bytes) => {
      hands.received = Buffer.concat([hands.received, bytes]);
      hands.socket.emit('more');
    });
    const hello = Buffer.alloc(12);
    hello.write('l'); // little-endian
    hello.writeUInt16LE(11, 2);
    hands.socket.write(hello);
    const head = await hands.#read(8);
    if (head[0] !== 1) throw new Error('the X server refuses the connection');
    const setup = await hands.#read(head.readUInt16LE(6) * 4);
    const [vendorLength, formats] = [setup.readUInt16LE(16), setup[21]];
    hands.root = setup.readUInt32LE(32 + ((vendorLength + 3) & ~3) + formats * 8);
    const name = Buffer.from('XTEST');
    const query = Buffer.alloc(8);
    query.writeUInt16LE(name.length, 4);
    hands.#send(request.queryExtension, 0, Buffer.concat([query.subarray(4), name]));
    const extension = await hands.#read(32);
    if (!extension[8]) throw new Error('the X server has no XTEST');
    hands.xtest = extension[9];
    return hands;
  }

  async #read(length) {
    while (this.received.length < length) await once(this.socket, 'more');
    const bytes = this.received.subarray(0, length);
    this.received = this.received.subarray(length);
    return bytes;
  }

  #send(opcode, detail, body) {
    const rest = padded(body);
    const head = Buffer.from([opcode, detail, 0, 0]);
    head.writeUInt16LE(1 + rest.length / 4, 2);
    this.socket.write(Buffer.concat([head, rest]));
  }

  /** Waits until the server has done everything so far. */
  async #sync() {
    this.#send(request.getInputFocus, 0, Buffer.alloc(0));
    await this.#read(32);
  }

  #fake(type, detail, x = 0, y = 0) {
    const body = Buffer.alloc(32);
    body[0] = type;
    body[1] = detail;
    body.writeUInt32LE(this.root, 8);
    body.writeInt16LE(x, 20);
    body.writeInt16LE(y, 22);
    this.#send(this.xtest, xtestFakeInput, body);
  }

  async move(x, y) {
    this.#fake(event.motion, 0, Math.round(x), Math.round(y));
    await this.#sync();
  }

  /** Button 1 is the left one, 4 and 5 are the wheel. */
  async click(button = 1) {
    this.#fake(event.buttonPress, button);
    this.#fake(event.buttonRelease, button);
    await this.#sync();
  }

  /** Presses a key, or several at once: the first ones are held. */
  async press(...codes) {
    for (const code of codes) this.#fake(event.keyPress, code);
    for (const code of codes.reverse()) this.#fake(event.keyRelease, code);
    await this.#sync();
  }

  /** What desktops set for screens with fine dots: programs draw dpi/96 times as large. */
  async setDotsPerInch(dpi) {
    const text = Buffer.from(`Xft.dpi:\t${dpi}\n`);
    const body = Buffer.alloc(20);
    body.writeUInt32LE(this.root, 0);
    body.writeUInt32LE(atom.resourceManager, 4);
    body.writeUInt32LE(atom.string, 8);
    body[12] = 8; // bits
    body.writeUInt32LE(text.length, 16);
    this.#send(request.changeProperty, 0, Buffer.concat([body, text]));
    await this.#sync();
  }

  close() {
    this.socket.destroy();
  }
}
