import { type Bytes, type Inputs, JobFailure } from '../../ports.ts';
import type { JobClient } from './job-client.ts';
import type { JobLinks } from './job-document.ts';

/** The parts of a job, fetched from the server. */
export function httpInputs(client: JobClient, links: JobLinks, signal: AbortSignal): Inputs {
  const fetch = async (what: string, link: string | null | undefined): Promise<Bytes> => {
    if (typeof link !== 'string') throw new JobFailure(`The server does not say where the ${what} is`);
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
  return new JobFailure(`The ${what} could not be fetched: ${(cause as Error).message}`, { cause });
}
