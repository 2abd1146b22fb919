// Writes arrays as numpy.save does.

/** @param {number[]} shape @param {number[]} numbers float32, the last axis fastest */
export function npy(shape, numbers) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.map((length) => `${length}, `).join('')}), }\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(header.length);
  return Buffer.concat([
    Buffer.from([0x93]), Buffer.from('NUMPY'), Buffer.from([1, 0]), length, Buffer.from(header),
    Buffer.from(new Float32Array(numbers).buffer),
  ]);
}
