import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPaths } from '../../../../archive/index.ts';
import { CONFIGURATION_BOUNDS } from '../../../../lib/job/configuration-bounds.ts';
import { upload } from '../../../client/signed-url.ts';
import { ask, type ConnectionOptions, targetOf } from '../../../connection/connection.ts';
import { usageError } from '../../../errors/command-error.ts';
import { printable } from '../../../output/printable.ts';
import { dataOf } from '../../workspace-requests.ts';
import { uploadedVersion } from '../configuration.ts';
import { filesOf } from './folder-files.ts';

/** Folder to upload, and whether its configuration is only planned. */
interface WantedFolder {
  readonly folder: string;
  readonly planOnly: boolean;
}

/**
 * Uploads a folder as a configuration version of a workspace, without what `.terraformignore` leaves out. Returns its
 * ID.
 * @throws CommandError for a folder that cannot be read, is empty or exceeds a bound, and with the reason of the server
 */
export async function uploadFolder(
  workspaceId: string,
  { folder, planOnly }: WantedFolder,
  options: ConnectionOptions,
): Promise<string> {
  const paths = await filesOf(folder);
  if (paths.length === 0) throw usageError(`${folder} has no files to upload`);
  const temporary = await mkdtemp(join(tmpdir(), 'lockkeeper-upload-'));
  try {
    const archive = join(temporary, 'configuration.tar.gz');
    await packPaths({ from: folder, paths }, archive);
    const { size } = await stat(archive);
    if (size > CONFIGURATION_BOUNDS.packedBytes) {
      throw usageError(
        `${folder} is larger than ${CONFIGURATION_BOUNDS.packedBytes} bytes when packed. List what runs do not need in .terraformignore`,
      );
    }
    const path = `/api/v2/workspaces/${workspaceId}/configuration-versions`;
    // The command itself starts the run, which has its options.
    const attributes = { 'auto-queue-runs': false, speculative: planOnly };
    const document = { data: { type: 'configuration-versions', attributes } };
    const { id, attributes: made } = dataOf((await ask(options, 'workspaces', 'POST', path, document)).body);
    process.stderr.write(`Uploading ${printable(folder)}: ${paths.length} files and folders, ${size} bytes packed\n`);
    const body = { size, open: () => createReadStream(archive) };
    await upload(String(made['upload-url']), body, targetOf(options).ca);
    return await uploadedVersion(id, 'the folder was not accepted', options);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
