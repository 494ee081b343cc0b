/** Texts of the destroy component. */
export const texts = {
  done: (verb: string, what: string) => `${verb} ${what}: done`,
  typeTheNameToConfirm: 'Type the name to confirm',
  name: 'Name',
  toConfirmType: 'To confirm, type',
};
