import { setTimeout as pause } from 'node:timers/promises';
import { ask, type ConnectionOptions } from '../../connection/connection.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { dataOf } from '../workspace-requests.ts';

/** Polling interval, ms. The server gives up after 10 minutes. */
const EVERY = 500;

/**
 * Waits until the server has a configuration version, and returns its ID.
 * @param failed beginning of the message of an error
 * @throws CommandError with the reason of the server if it has none
 */
export async function uploadedVersion(id: string, failed: string, options: ConnectionOptions): Promise<string> {
  for (;;) {
    const { body } = await ask(options, 'workspaces', 'GET', `/api/v2/configuration-versions/${id}`);
    const { status, 'error-message': reason } = dataOf(body).attributes;
    if (status === 'uploaded') return id;
    if (status === 'errored') throw new CommandError(`${failed}: ${String(reason)}`, EXIT.failed);
    await pause(EVERY);
  }
}
