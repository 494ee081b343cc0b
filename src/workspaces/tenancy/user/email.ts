const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** What can be told an address from; whether anybody reads it is not known. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** In lower case, as the databases see it (of ASCII alone): it is one address whatever the case. */
export function foldedEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
