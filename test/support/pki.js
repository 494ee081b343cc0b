export * from '../../src/pki/index.js';
