import { ReferenceViolation, UniqueViolation } from '../database.ts';
import { databaseUnavailable } from '../errors.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
/** Connection lost, resources exhausted, shut down or timed out, a standby, idle too long. */
const UNAVAILABLE = /^(?:08|53|57|25006|25P03)/;

/**
 * A session that starts while a standby is promoted gets this unspecific code, because a standby is not serializable.
 */
const UNSUPPORTED = '0A000';
const SERIALIZABLE_ON_STANDBY = 'GetSerializableTransactionSnapshot';

function stateOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Returns whether a retry of the whole transaction may succeed. Nothing of it was stored. */
export function isRetryable(error: unknown): boolean {
  const state = stateOf(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK;
}

/**
 * Returns whether the error shows that the server has refused a COMMIT. Any other error leaves the outcome unknown: the
 * server may have committed before the connection was lost.
 */
export function provesRollback(error: unknown): boolean {
  return isRetryable(error) || error instanceof UniqueViolation || error instanceof ReferenceViolation;
}

/** Converts an error of the driver to one of the database interface. A retryable error stays as it is. */
export function translate(error: unknown): unknown {
  const state = stateOf(error);
  if (state === UNIQUE_VIOLATION) return new UniqueViolation(constraintOf(error), error);
  if (state === FOREIGN_KEY_VIOLATION) return new ReferenceViolation(error);
  // A value that cannot be represented: the only error that this module throws itself.
  if (error instanceof RangeError) return error;
  // An error without a state does not come from the server: the connection could not be opened, or broke.
  if (state === undefined || UNAVAILABLE.test(state) || endsSession(error) || isOfStandby(error, state))
    return databaseUnavailable(error);
  return error;
}

function isOfStandby(error: unknown, state: string): boolean {
  const { routine } = error as { routine?: unknown };
  return state === UNSUPPORTED && routine === SERIALIZABLE_ON_STANDBY;
}

/**
 * Login refused, database missing, too many connections, server or session ended, session or transaction idle too long.
 * PostgreSQL sends these states with the severity FATAL. Only 3D000 is also an ordinary error, of statements that this program
 * does not send, such as DROP DATABASE.
 */
const ENDS_SESSION = /^(?:28|3D|53300|57P0[1-5]|25P0[34])/;

/**
 * Returns whether the error closes the session, whatever its reason. The server translates the severity to the language
 * of `lc_messages`, and `pg-protocol` drops the field that is never translated. Therefore the state counts as well.
 */
export function endsSession(error: unknown): boolean {
  const { severity } = error as { severity?: unknown };
  return severity === 'FATAL' || severity === 'PANIC' || ENDS_SESSION.test(stateOf(error) ?? '');
}

function constraintOf(error: unknown): string {
  return String((error as { constraint?: string }).constraint);
}
