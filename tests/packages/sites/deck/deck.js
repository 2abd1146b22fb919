import Reveal from '../node_modules/reveal.js/dist/reveal.mjs';

// What a deck is by default; without transitions, whose ends the tests would have to wait for.
window.deck = new Reveal({ width: 960, height: 700, hash: true, transition: 'none', backgroundTransition: 'none' });
window.deck.initialize();
