import { getCACertificates } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Clock } from '../lib/clock.ts';
import { mailText } from './address.ts';
import { composed, MAX_SUBJECT, type Mail } from './compose.ts';

export type { Mail } from './compose.ts';

/** SMTP server of the operator. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** implicit: TLS from the start. starttls: TLS before anything else, or no message. none: without TLS. */
  readonly tls: 'implicit' | 'starttls' | 'none';
  /** PEM of CAs that the server trusts, besides the CAs of the system. */
  readonly authorities?: readonly string[];
  readonly login?: { readonly username: string; readonly password: string };
  /** Sender: an address, or a name and an address in angle brackets. */
  readonly from: string;
  /** Duration of one attempt, milliseconds. */
  readonly timeoutMs: number;
  /** Domains to which users may send messages besides members of their organization. */
  readonly recipientDomains?: readonly string[];
  /** Recipients of the notifications of one organization by email in an hour. Invitations have a limit of their own. */
  readonly recipientsPerHour?: number;
}

/**
 * @limit recipients of the notifications of one organization by email in an hour, recipients -> more emails wait for the next hour; invitations have a limit of their own
 * @setting smtp.recipients_per_hour
 */
const RECIPIENTS_PER_HOUR = 2000;

/** Answer of the SMTP server about one recipient. */
export interface RecipientAnswer {
  readonly address: string;
  readonly answer: string;
}

/** Result of one attempt. */
export interface MailResult {
  /** arrived: at least one recipient was accepted and none is postponed. refused: another attempt would not help. */
  readonly outcome: 'arrived' | 'refused' | 'failed';
  /** Recipients that must not get the message again. */
  readonly accepted: readonly string[];
  readonly refused: readonly RecipientAnswer[];
  /** Recipients for another attempt. */
  readonly postponed: readonly RecipientAnswer[];
  /** Status of the SMTP server; empty without one. */
  readonly code: string;
  /** Reason of a failure, or the answer. Names no address of the network. */
  readonly reason: string;
}

/** @limit one response of the SMTP server, bytes -> the delivery counts as failed */
const MAX_RESPONSE = 65_536;
/** @limit all responses of the SMTP server to one email, bytes -> the delivery counts as failed */
const MAX_RESPONSES = 1_048_576;
/** Interval in milliseconds of the check of MAX_RESPONSES. */
const SIZE_CHECK = 50;
/** @limit stored part of an answer of the SMTP server, characters -> the rest is not stored */
const MAX_ANSWER = 300;

const PLAIN_REASONS: Readonly<Record<string, string>> = {
  EDNS: 'the name of the mail server cannot be resolved',
  ETLS: 'the connection to the mail server cannot be encrypted, or its certificate is not valid',
  EAUTH: 'the mail server refused the login of this server. The operator can correct smtp.username and its password',
  ETIMEDOUT: 'the mail server did not answer in time',
};
/** nodemailer reports an invalid certificate as an error of the socket, with the text of Node.js. */
const IS_ABOUT_TLS = /certificate|altname|\b(?:ssl|tls)\b/i;
const NO_CONNECTION = 'the server could not connect to the mail server, or lost the connection';

/** Failure of nodemailer. */
interface SmtpError {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
  readonly rejectedErrors?: readonly SmtpError[] | undefined;
  readonly recipient?: string | undefined;
}

/** Sends emails through the SMTP server of the operator, one connection for each. */
export class Mailer {
  readonly #settings: MailSettings;
  readonly #clock: Clock;
  readonly #sender: string;

  constructor(settings: MailSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#sender = /<([^<>]*)>$/.exec(settings.from)?.[1] ?? settings.from;
  }

  /** Returns whether users may send to this address without being a member: the operator allows its domain. */
  allows(address: string): boolean {
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
    return (this.#settings.recipientDomains ?? []).includes(domain);
  }

  /** Recipients that the emails of one organization may have in an hour. */
  get recipientsPerHour(): number {
    return this.#settings.recipientsPerHour ?? RECIPIENTS_PER_HOUR;
  }

  /** Sends one message. Never rejects because of the SMTP server. If the signal aborts it, it may have arrived. */
  async send(mail: Mail, signal?: AbortSignal): Promise<MailResult> {
    const { from } = this.#settings;
    const domain = this.#sender.slice(this.#sender.lastIndexOf('@') + 1);
    const safe = { ...mail, subject: mailText(mail.subject, MAX_SUBJECT) };
    const message = await composed(safe, from, domain, this.#clock());
    return this.#session(signal, async (connection) => {
      const envelope = { from: this.#sender, to: [...mail.to], size: message.length };
      const sent = await done<SentInfo>((end) => connection.send(envelope, message, end));
      return resultOf(mail.to, sent.response, sent.rejectedErrors ?? []);
    }).catch((error: SmtpError) => failureOf(mail.to, error));
  }

  /**
   * Connects, encrypts and logs in, without a message.
   * @returns the reason of a failure; undefined if it succeeds
   */
  async probe(signal?: AbortSignal): Promise<string | undefined> {
    return this.#session(signal, async () => undefined).catch((error: SmtpError) => reasonOf(error));
  }

  /** Runs the work on a new connection. The deadline closes it, however slowly the server answers. */
  async #session<T>(signal: AbortSignal | undefined, work: (connection: SMTPConnection) => Promise<T>): Promise<T> {
    const connection = this.#connection();
    const deadline = AbortSignal.timeout(this.#settings.timeoutMs);
    const over = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    let guard: NodeJS.Timeout | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      const refuse = (code: string) => reject(Object.assign(new Error('the SMTP session ended'), { code }));
      // Events after the end of the session, which has its own result.
      connection.on('error', reject);
      connection.on('end', () => refuse('ECONNECTION'));
      if (over.aborted) refuse('ETIMEDOUT');
      over.addEventListener('abort', () => refuse('ETIMEDOUT'), { once: true });
      guard = setInterval(() => receivedBytes(connection) > MAX_RESPONSES && refuse('EPROTOCOL'), SIZE_CHECK);
    });
    ended.catch(() => {});
    try {
      return await Promise.race([ended, this.#opened(connection).then(() => work(connection))]);
    } finally {
      clearInterval(guard);
      connection.close();
    }
  }

  async #opened(connection: SMTPConnection): Promise<void> {
    const { login } = this.#settings;
    await done((end) => connection.connect((error?: unknown) => end(error)));
    if (login === undefined) return;
    const credentials = { user: login.username, pass: login.password };
    await done((end) => connection.login({ credentials }, (error?: unknown) => end(error)));
  }

  #connection(): SMTPConnection {
    const { authorities = [], host, port, timeoutMs, tls } = this.#settings;
    return new SMTPConnection({
      ...{ host, port, secure: tls === 'implicit', requireTLS: tls === 'starttls', ignoreTLS: tls === 'none' },
      ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs, dnsTimeout: timeoutMs },
      ...{
        maxResponseSize: MAX_RESPONSE,
        socketCloseTimeout: 1000,
        logger: false,
        allowInternalNetworkInterfaces: true,
      },
      tls: {
        minVersion: 'TLSv1.2',
        rejectUnauthorized: true,
        ...(authorities.length > 0 && { ca: [...getCACertificates('default'), ...authorities] }),
      },
    });
  }
}

/** Part of nodemailer's result that is read. */
interface SentInfo {
  readonly response: string;
  readonly rejectedErrors?: readonly SmtpError[] | undefined;
}

function done<T>(start: (end: (error?: unknown, value?: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value as T)));
  });
}

/** Bytes that the server has sent, also below TLS. */
function receivedBytes(connection: SMTPConnection): number {
  const { _socket: socket } = connection as unknown as { _socket: { bytesRead?: number } | false };
  return socket ? (socket.bytesRead ?? 0) : 0;
}

function resultOf(to: readonly string[], response: string, rejected: readonly SmtpError[]): MailResult {
  const answers = rejected.map((error) => ({ ...answerOf(error), isFinal: (error.responseCode ?? 0) >= 500 }));
  const refused = answers.filter(({ isFinal }) => isFinal).map(({ address, answer }) => ({ address, answer }));
  const postponed = answers.filter(({ isFinal }) => !isFinal).map(({ address, answer }) => ({ address, answer }));
  const failed = new Set(answers.map(({ address }) => address));
  const accepted = to.filter((address) => !failed.has(address));
  const outcome = postponed.length > 0 ? 'failed' : accepted.length > 0 ? 'arrived' : 'refused';
  return { outcome, accepted, refused, postponed, code: response.slice(0, 3), reason: mailText(response, MAX_ANSWER) };
}

/** Result of an attempt in which no recipient was accepted. */
function failureOf(to: readonly string[], error: SmtpError): MailResult {
  const { code = '', rejectedErrors = [], responseCode } = error;
  const reason = reasonOf(error);
  if (rejectedErrors.length > 0) return { ...resultOf(to, error.response ?? '', rejectedErrors), reason };
  // A wrong password is corrected by the operator, not by the user: another attempt may help.
  const isFinal = code !== 'EAUTH' && code !== 'ETLS' && (responseCode ?? 0) >= 500;
  const all = to.map((address) => ({ address, answer: reason }));
  return {
    outcome: isFinal ? 'refused' : 'failed',
    accepted: [],
    refused: isFinal ? all : [],
    postponed: isFinal ? [] : all,
    code: responseCode === undefined ? '' : String(responseCode),
    reason,
  };
}

const answerOf = ({ recipient = '', response = '' }: SmtpError) => ({
  address: recipient,
  answer: mailText(response, MAX_ANSWER),
});

/** Only answers to the message itself are repeated: others could name the network of the operator. */
function reasonOf({ code = '', message = '', response, responseCode }: SmtpError): string {
  const plain = PLAIN_REASONS[code === 'ESOCKET' && IS_ABOUT_TLS.test(message) ? 'ETLS' : code];
  if (plain !== undefined) return plain;
  if (response === undefined || responseCode === undefined) return NO_CONNECTION;
  return `the mail server answered: ${mailText(response, MAX_ANSWER)}`;
}
