/** Messages of failures outside the two APIs. */
// Texts of bytes.ts
export const serverUnreachable = 'The server does not answer. Check your connection';
// Texts of error.ts
export const theServerAnsweredWithStatus = (status: number) => `The server answered with status ${status}`;
// Texts of transfer.ts
export const uploadCancelled = 'Upload cancelled';
// Texts of worker.ts
export const isNotAScript = (url: string) => `${url} is not a script of the console`;
export const theBrowserCouldNot = 'The browser could not do this. It may be out of memory.';
export const theWorkerWasClosed = 'The worker was closed.';
