import { ApiError, fieldsOf, messageOf } from './error.ts';

/** How far something is on its way, bytes. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Something on its way to the server. */
export interface Upload {
  /** Once the server has it. @throws ApiError, with status 0 where it was cancelled */
  readonly finished: Promise<void>;
  cancel(): void;
}

/** What is said of an upload that somebody has ended. */
export const CANCELLED = 'cancelled';

/**
 * Sends a file to an address that the server has signed: it needs no session. Only this way does a browser say how far it is.
 * @param onProgress told of bytes that have left
 */
export function upload(address: string, file: Blob, onProgress: (progress: Progress) => void): Upload {
  const request = new XMLHttpRequest();
  const finished = new Promise<void>((resolve, reject) => {
    const fail = (status: number, text: string) => reject(new ApiError(status, text, ''));
    request.upload.onprogress = ({ loaded }) => onProgress({ done: loaded, total: file.size });
    request.onabort = () => fail(0, CANCELLED);
    request.onerror = () => fail(0, 'the server does not answer');
    request.onload = () => {
      const { status, responseText } = request;
      if (status >= 200 && status < 300) return resolve();
      const answer = answerOf(responseText);
      const id = request.getResponseHeader('x-request-id') ?? '';
      reject(new ApiError(status, messageOf(answer, status), id, fieldsOf(answer)));
    };
    const { pathname, search } = new URL(address);
    request.open('PUT', `${pathname}${search}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.send(file);
  });
  return { finished, cancel: () => request.abort() };
}

function answerOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
