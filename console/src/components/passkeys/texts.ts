/** Texts of the passkeys of a user. */
export const passkeys = 'Passkeys';
export const newPasskey = 'New passkey';
export const aPasskeySignsYou =
  'A passkey signs you in by fingerprint, face, PIN or security key, without a token. Register one on each device, or a second one as a spare.';
export const browsersAcceptNo = 'Browsers do not accept passkeys at this address.';
export const open = 'Open';
export const noPasskeys = 'No passkeys yet.';
export const name = 'Name';
export const lastUsed = 'Last used';
export const neverUsed = 'never used';
export const used = 'used';
export const ago = 'ago';
export const storage = 'Storage';
export const synced = 'synced between devices';
export const onOneDevice = 'on one device';
export const created = 'Created';
export const actions = 'Actions';
export const remove = 'Remove';
export const passkey = (name: string) => `passkey ${name}`;
export const itNoLongerSigns =
  'It no longer signs the user in, and the sessions that started with it end. Delete it in the password manager or on the security key too.';
export const register = 'Register passkey';
export const enterAName = 'Enter a name';
export const nameOfTheDevice = 'Name of the device or password manager, such as "work laptop".';
