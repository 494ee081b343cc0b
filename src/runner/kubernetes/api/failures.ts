/** The API server of the cluster did not respond, or the response was cut short. */
export class ClusterAway extends Error {
  override readonly name = 'ClusterAway';
}

/** The API server of the cluster responded with an error status. */
export class ClusterRefusal extends Error {
  override readonly name = 'ClusterRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  /** Whether a resource quota is exhausted. */
  get isQuota(): boolean {
    return this.status === 403 && /exceeded quota|quota/i.test(this.message);
  }

  /** Whether the error is transient. A 401 is too, because the next token may be valid. */
  get isPassing(): boolean {
    return this.status >= 500 || [401, 408, 429].includes(this.status);
  }
}

/** @limit error text of a cluster that an agent shows, characters -> it is truncated */
const MAX_TEXT = 500;

/** Returns an error with the message of the response in one line; without a message, with the status. */
export function refusalOf(status: number, body: string): ClusterRefusal {
  return new ClusterRefusal(status, `${inOneLine(messageIn(body)) || 'the cluster refused the request'} (${status})`);
}

/** Returns the text of another system in one line, truncated. */
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
