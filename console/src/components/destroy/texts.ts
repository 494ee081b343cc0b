/** Texts of the destroy component. */
export const done = (verb: string, what: string) => `${verb} ${what}: done`;
export const typeTheNameToConfirm = 'Type the name to confirm';
export const name = 'Name';
export const toConfirmType = 'To confirm, type';
