import { HttpClient } from '../../lib/http/http-client.ts';
import type { HttpRequest, HttpResponse, Upload } from '../../lib/http/http-request.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';

/** @limit file that a command downloads or uploads at a signed URL, bytes -> the command fails */
const MAX_FILE = 2_147_483_648;
/** @limit time without data of such a transfer, ms -> the command fails */
const LONGEST_SILENCE = 120_000;

/** Downloads at a signed URL, which needs no token. @throws CommandError; FetchError, also while the body is read */
export async function download(url: string, ca: string | undefined): Promise<HttpResponse> {
  return send(url, { method: 'GET' }, ca);
}

/** Uploads to a signed URL, which needs no token. @throws CommandError, FetchError */
export async function upload(url: string, body: Uint8Array | Upload, ca: string | undefined): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' };
  (await send(url, { method: 'PUT', body, headers }, ca)).discard();
}

async function send(url: string, request: Omit<HttpRequest, 'limits'>, ca: string | undefined): Promise<HttpResponse> {
  const client = new HttpClient({ connections: 'process', ...(ca !== undefined && { tls: { ca } }) });
  const limits = { idleMs: LONGEST_SILENCE, maxBytes: MAX_FILE };
  const response = await client.send(new URL(url), { ...request, limits });
  if (response.status < 300) return response;
  const text = (await response.bytes()).toString().slice(0, 500);
  throw new CommandError(`the transfer failed (${response.status}): ${text}`, EXIT.failed);
}
