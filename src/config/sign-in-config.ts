import { DurationError, parseSeconds } from '../lib/duration.ts';
import { ConfigError } from './config-error.ts';
import type { ConfigTree } from './config-schema.ts';

/** How people sign in with a browser; lengths of time in seconds. */
export interface SignInConfig {
  readonly sessionIdle: number;
  readonly sessionLifetime: number;
}

type Tree = NonNullable<ConfigTree['sign_in']>;

const MINUTE = 60;
const HOUR = 3600;

export function toSignIn(tree: Tree): SignInConfig {
  const sessionLifetime = between('session_lifetime', tree.session_lifetime ?? '24h', 15 * MINUTE, 2160 * HOUR);
  const idle = tree.session_idle ?? '8h';
  const isShort = tree.session_idle === undefined && sessionLifetime < 8 * HOUR;
  return {
    sessionIdle: isShort
      ? sessionLifetime
      : between('session_idle', idle, 5 * MINUTE, Math.min(720 * HOUR, sessionLifetime)),
    sessionLifetime,
  };
}

function between(key: string, text: string, least: number, most: number): number {
  try {
    const found = parseSeconds(text);
    if (found >= least && found <= most) return found;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
  }
  throw new ConfigError(`sign_in.${key}: found ${JSON.stringify(text)}; allowed: ${least}s to ${most}s`);
}
