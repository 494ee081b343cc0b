/** Texts of the transfer component. */
export const uploadOf = (what: string) => `Upload of ${what}`;
export const storing = ', storing';
export const ofText = (done: string, total: string, value: string) => `${done} of ${total}${value}`;
export const cancelUpload = 'Cancel upload';
export const left = (short: string) => `, ${short} left`;
