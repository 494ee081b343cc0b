/** Texts about passkeys. */
export const alreadyRegistered = 'This device or security key has a passkey of yours already.';
export const noPasskeyChosen =
  'No passkey was chosen. If you have none here, sign in another way and register one in your account.';
export const cannotUse = (name: string) => `The browser cannot use a passkey here (${name}).`;
