import { homedir } from 'node:os';

/** Returns the home folder of this user; undefined for a user without one, as containers have. */
export function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}
