import { type Finding, failure, skipped, success } from '../../lib/finding/finding.ts';
import { Mailer } from '../../mail/index.ts';
import type { Subject } from '../model/check.ts';
import type { Site } from '../model/site.ts';

/** SMTP server for emails of notifications. */
export const mail: Subject = { name: 'mail', checks: [{ name: 'SMTP server', run: server }] };

/** Connects, encrypts and logs in. Sends no message. */
async function server(site: Site, signal: AbortSignal): Promise<Finding> {
  const settings = await site.mail();
  if (settings === undefined) return skipped('no SMTP server is configured');
  const place = `${settings.host}:${settings.port}`;
  const fault = await new Mailer(settings, site.clock).probe(signal);
  if (fault === undefined) return success(settings.tls === 'none' ? 'ready, without TLS' : 'ready, with TLS', place);
  return failure(fault, 'check smtp.host, smtp.port, smtp.tls, smtp.authorities_file and the login', place);
}
