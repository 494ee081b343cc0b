/** Messages of failures outside the two APIs. */
// bytes.ts
export const serverUnreachable = 'The server does not answer. Check your connection';
// error.ts
export const theServerAnsweredWithStatus = (status: number) => `The server answered with status ${status}`;
// transfer.ts
export const uploadCancelled = 'Upload cancelled';
// worker.ts
export const isNotAScript = (url: string) => `${url} is not a script of the console`;
export const theBrowserCouldNot = 'The browser could not do this. It may be out of memory.';
export const theWorkerWasClosed = 'The worker was closed.';
