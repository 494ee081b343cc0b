import { MAX_CONFIGURATION, MAX_JOB_STATE, MAX_PLAN_FOLDER } from '../../../lib/job/limits.ts';
import { type Bytes, type Inputs, JobFailure } from '../../ports.ts';
import { TooLarge } from '../http/failures.ts';
import type { JobClient } from './job-client.ts';
import type { JobLinks } from './job-document.ts';

/** Fetches the inputs of a job from the server. */
export function httpInputs(client: JobClient, links: JobLinks, signal: AbortSignal): Inputs {
  const open = async (what: string, link: string | null | undefined, maxBytes: number): Promise<Bytes> => {
    if (typeof link !== 'string') throw new JobFailure(`The server returned no link to the ${what}`);
    try {
      const request = { method: 'GET', path: client.pathOf(link) } as const;
      return withContext(what, await client.openStream(request, maxBytes, signal), maxBytes);
    } catch (error) {
      throw failure(what, error, maxBytes);
    }
  };
  return {
    configuration: () => open('configuration', links.configuration, MAX_CONFIGURATION),
    state: async () => (typeof links.state === 'string' ? await open('state', links.state, MAX_JOB_STATE) : null),
    folder: () => open('folder of the plan', links.folder, MAX_PLAN_FOLDER),
  };
}

async function* withContext(what: string, bytes: Bytes, maxBytes: number): Bytes {
  try {
    yield* bytes;
  } catch (error) {
    throw failure(what, error, maxBytes);
  }
}

function failure(what: string, cause: unknown, maxBytes: number): JobFailure {
  if (cause instanceof JobFailure) return cause;
  if (cause instanceof TooLarge) return new JobFailure(`The ${what} is larger than ${maxBytes} bytes`, { cause });
  return new JobFailure(`The ${what} could not be downloaded: ${(cause as Error).message}`, { cause });
}
