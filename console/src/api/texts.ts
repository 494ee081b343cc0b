/** Messages of failures outside the two APIs. */
export const texts = {
  // Texts of bytes.ts
  serverUnreachable: 'The server does not answer. Check your connection',
  // Texts of error.ts
  theServerAnsweredWithStatus: (status: number) => `The server answered with status ${status}`,
  // Texts of transfer.ts
  uploadCancelled: 'Upload cancelled',
  // Texts of worker.ts
  isNotAScript: (url: string) => `${url} is not a script of the console`,
  theBrowserCouldNot: 'The browser could not do this. It may be out of memory.',
  theWorkerWasClosed: 'The worker was closed.',
};
