export { isMailAddress } from './address.ts';
export { type Mail, Mailer, type MailResult, type MailSettings } from './mailer.ts';
