import { ApiError, fieldsOf, messageOf } from './error.ts';
import * as texts from './texts.ts';

/** Progress of a transfer, bytes. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** A running upload. */
export interface Upload {
  /**
   * Promise that resolves when the server has the file.
   * @throws ApiError, with status 0 if the upload was cancelled
   */
  readonly finished: Promise<void>;
  cancel(): void;
}

/** Message of an upload that the user has cancelled. */
export const CANCELLED = texts.uploadCancelled;

/**
 * Uploads a file to a URL that the server has signed; needs no session. Uses XMLHttpRequest, because `fetch` reports no
 * upload progress.
 * @param onProgress called with the number of sent bytes
 */
export function upload(address: string, file: Blob, onProgress: (progress: Progress) => void): Upload {
  const request = new XMLHttpRequest();
  const finished = new Promise<void>((resolve, reject) => {
    const fail = (status: number, text: string) => reject(new ApiError(status, text, ''));
    request.upload.onprogress = ({ loaded }) => onProgress({ done: loaded, total: file.size });
    request.onabort = () => fail(0, CANCELLED);
    request.onerror = () => fail(0, texts.serverUnreachable);
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
