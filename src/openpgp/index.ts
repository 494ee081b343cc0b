export { type SigningKey, signingKeysOf } from './keys.ts';
export { checkSignature } from './verify.ts';
