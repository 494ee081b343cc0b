import { forgetToken, type KeptToken, keepToken, keptToken } from './token-cache.ts';

const keyOf = (address: string): readonly string[] => ['session', URL.parse(address)?.origin ?? address];

/** Returns the token that `lockkeeper login` stored for this server. */
export function storedSession(address: string): string | undefined {
  return keptToken(keyOf(address), Date.now())?.token;
}

/** Returns whether the token could be stored. */
export function storeSession(address: string, token: KeptToken): boolean {
  return keepToken(keyOf(address), token);
}

export function forgetSession(address: string): void {
  forgetToken(keyOf(address));
}
