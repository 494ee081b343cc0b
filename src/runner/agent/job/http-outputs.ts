import { type Content, JobFailure, type Outputs } from '../../ports.ts';
import type { JobClient } from './job-client.ts';
import type { JobLinks } from './job-document.ts';
import type { LogUpload } from './log-upload.ts';
import type { StateUpload } from './state-upload.ts';

/** Uploads the outputs of a job to the server. */
export function httpOutputs(
  client: JobClient,
  links: JobLinks,
  { log, states }: { readonly log: LogUpload; readonly states: StateUpload },
  signal: AbortSignal,
): Outputs {
  const put = async (what: string, link: string | null | undefined, content: Content): Promise<void> => {
    if (typeof link !== 'string') throw new JobFailure(`The server returned no link for the ${what}`);
    try {
      await client.request({ method: 'PUT', path: client.pathOf(link), body: { content } }, signal);
    } catch (cause) {
      if (cause instanceof JobFailure) throw cause;
      throw new JobFailure(`The ${what} could not be uploaded: ${(cause as Error).message}`, { cause });
    }
  };
  return {
    log: (bytes) => log.write(bytes),
    state: (version, isLast) => (isLast ? states.last(version) : states.between(version)),
    planJson: (json) => put('plan as JSON', links['json-output'], json),
    redactedPlan: (json) => put('plan without secrets', links['json-output-redacted'], json),
    schemas: (json) => put('schemas of its providers', links['provider-schemas'], json),
    folder: (archive) => put('folder for the apply', links.folder, archive),
  };
}
