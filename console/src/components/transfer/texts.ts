/** Texts of the transfer component. */
export const texts = {
  uploadOf: (what: string) => `Upload of ${what}`,
  storing: ', storing',
  ofText: (done: string, total: string, value: string) => `${done} of ${total}${value}`,
  cancelUpload: 'Cancel upload',
  left: (short: string) => `, ${short} left`,
};
