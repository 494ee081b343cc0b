import { forgetToken, type KeptToken, keepToken, keptToken } from './token-cache.ts';

const keyOf = (address: string): readonly string[] => ['session', URL.parse(address)?.origin ?? address];

/** The token that `lockkeeper login` left for this server. */
export function storedSession(address: string): string | undefined {
  return keptToken(keyOf(address), Date.now())?.token;
}

/** Whether it could be stored. */
export function storeSession(address: string, token: KeptToken): boolean {
  return keepToken(keyOf(address), token);
}

export function forgetSession(address: string): void {
  forgetToken(keyOf(address));
}
