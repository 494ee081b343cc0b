export * from '../../src/pki/index.ts';
