const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Checks the format of an email address, not whether the mailbox exists. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Returns the email address in lower case (ASCII only, as the databases compare it): email addresses ignore case. */
export function foldedEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
