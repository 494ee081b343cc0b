import { isoTime } from '../../lib/clock.ts';
import { DurationError, parseSeconds } from '../../lib/duration.ts';
import { usageError } from '../errors/command-error.ts';

/** A duration with a unit, such as `2h`, `1h30m` or `7d`. Every other text is a time, which the server reads. */
const RELATIVE = /^\+?(\d[\d.]*[a-zµ]+)+$/;

/**
 * Returns a time of the command line as ISO 8601: from now on for a duration such as `2h`, unchanged otherwise.
 * @param arg argument for the message
 * @throws CommandError for an invalid duration
 */
export function timeOf(value: string, arg: string): string {
  return RELATIVE.test(value) ? timeAfter(value.replace('+', ''), arg) : value;
}

/** Returns the time after a duration from now. @throws CommandError for an invalid duration */
export function timeAfter(duration: string, arg: string): string {
  try {
    return isoTime(Date.now() + parseSeconds(duration) * 1000);
  } catch (error) {
    if (!(error instanceof DurationError || error instanceof RangeError)) throw error;
    throw usageError(`${arg}: ${error.message}`);
  }
}
