/** Reason why a migration stops: an invalid request, a refused token, or a server that does not respond. */
export type MigrationErrorKind = 'invalid' | 'refused' | 'not-found' | 'unavailable' | 'failed';

/** Error that ends the whole migration. Its message is for the user: what happened, and what to do next. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly kind: MigrationErrorKind;

  constructor(kind: MigrationErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A server refused one request because of its content. Only the item of the request fails; the migration goes on. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
