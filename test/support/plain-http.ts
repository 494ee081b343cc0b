import { type Agent, type OutgoingHttpHeaders, request } from 'node:http';

/** Sends one GET over plain HTTP. */
export function get(
  address: string,
  options: { readonly agent?: Agent; readonly headers?: OutgoingHttpHeaders } = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    request(address, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    })
      .on('error', reject)
      .end();
  });
}
