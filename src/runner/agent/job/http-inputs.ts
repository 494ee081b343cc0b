import { type Bytes, type Inputs, JobFailure } from '../../ports.ts';
import type { JobClient } from './job-client.ts';
import type { JobLinks } from './job-document.ts';

/** Fetches the inputs of a job from the server. */
export function httpInputs(client: JobClient, links: JobLinks, signal: AbortSignal): Inputs {
  const fetch = async (what: string, link: string | null | undefined): Promise<Bytes> => {
    if (typeof link !== 'string') throw new JobFailure(`The server returned no link to the ${what}`);
    try {
      return withContext(what, await client.openStream({ method: 'GET', path: client.pathOf(link) }, signal));
    } catch (error) {
      throw failure(what, error);
    }
  };
  return {
    configuration: () => fetch('configuration', links.configuration),
    state: async () => (typeof links.state === 'string' ? await fetch('state', links.state) : null),
    folder: () => fetch('folder of the plan', links.folder),
  };
}

async function* withContext(what: string, bytes: Bytes): Bytes {
  try {
    yield* bytes;
  } catch (error) {
    throw failure(what, error);
  }
}

function failure(what: string, cause: unknown): JobFailure {
  if (cause instanceof JobFailure) return cause;
  return new JobFailure(`The ${what} could not be downloaded: ${(cause as Error).message}`, { cause });
}
