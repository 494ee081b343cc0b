/** The API server of the cluster did not answer, or not to the end. */
export class ClusterAway extends Error {
  override readonly name = 'ClusterAway';
}

/** It answered, and does not do what it was asked. */
export class ClusterRefusal extends Error {
  override readonly name = 'ClusterRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  /** There is no room at the moment. */
  get isQuota(): boolean {
    return this.status === 403 && /exceeded quota|quota/i.test(this.message);
  }

  /** The same may be answered otherwise a little later: also once it is told who we are, by the next token. */
  get isPassing(): boolean {
    return this.status >= 500 || [401, 408, 429].includes(this.status);
  }
}

/** @limit what a cluster says of an error that is shown, characters -> it is cut */
const MAX_TEXT = 500;

/** Its message in one line; else its status. */
export function refusalOf(status: number, body: string): ClusterRefusal {
  return new ClusterRefusal(status, `${inOneLine(messageIn(body)) || 'the cluster refuses it'} (${status})`);
}

/** What others say, fit to be shown. */
export const inOneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT);

function messageIn(body: string): string {
  try {
    return String(JSON.parse(body).message ?? '');
  } catch {
    return '';
  }
}
