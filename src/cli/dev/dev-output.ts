import { basename, join } from 'node:path';
import type { Demo } from './demo-data.ts';
import type { DemoEngine } from './demo-engine.ts';
import { DemoGit, type NoGit } from './demo-git.ts';
import { CHANGED_FILE, REPOSITORY } from './demo-repository.ts';
import { RUN_WORKSPACE } from './demo-run.ts';
import type { DevCertificates } from './dev-certificates.ts';

/** Facts of a running demo for the output. */
export interface DevStart {
  readonly address: string;
  /** Link that signs one browser in, once. A secret. */
  readonly signIn: string;
  readonly pid: number;
  readonly certificates: DevCertificates;
  readonly demo: Demo;
  /** Engine of runs. Undefined without one. */
  readonly engine: DemoEngine | undefined;
  readonly repository: DemoGit | NoGit;
}

/** Returns one JSON line for scripts. */
export function jsonLine({ address, signIn, pid, certificates, demo }: DevStart): string {
  const line = {
    console_address: `${address}/app`,
    sign_in_address: signIn,
    address,
    ca_file: certificates.serverCaFile,
    root_token: demo.rootToken,
    user_token: demo.userToken,
    organization: demo.organization,
    role: demo.role,
    client_cert_file: certificates.clientCertificateFile,
    client_key_file: certificates.clientKeyFile,
    pid,
  };
  return `${JSON.stringify(line)}\n`;
}

/** Returns the text for people: locations, and six steps to paste. */
export function welcome(start: DevStart, directory: string, logFile: string): string {
  const { address, signIn, pid, certificates, demo } = start;
  const curl = `curl -s --cacert ${quote(certificates.serverCaFile)}`;
  const client = `--cert ${quote(certificates.clientCertificateFile)} --key ${quote(certificates.clientKeyFile)}`;
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const api = `${address}/api/v2`;
  return `
Lockkeeper is running: ${address}   (a demo: never put real secrets in it)

Your browser warns you when you open the console, because this demo issued its certificate itself. Choose Advanced
(Safari: Show Details) and continue. To have no warning, import ${certificates.serverCaFile} as a CA first.

Open this link to sign in to the console. It works once, on this machine, for 15 minutes:
${signIn}

  folder       ${directory}
  log          ${logFile}
  root token   ${demo.rootToken}   (access API, full access)
  user token   ${demo.userToken}   (workspace API, owner of the organization ${demo.organization})

Paste these into another terminal.

1. Log in with the certificate:
TOKEN=$(${curl} ${client} -X POST ${address}/v1/auth/cert/login | sed 's/.*"client_token":"\\([^"]*\\)".*/\\1/') && echo "$TOKEN"

2. List the workspaces with the token that came back:
${curl} ${bearer} ${api}/organizations/${demo.organization}/workspaces

3. Lock one with it:
${curl} ${bearer} -X POST ${api}/workspaces/${demo.unlockedWorkspaceId}/actions/lock

${runs(start)}
${pushes(start)}
6. Stop:
kill ${pid}

`;
}

/** Returns the commands to watch a run, or what is missing for it. */
function runs(start: DevStart): string {
  const { demo, engine } = start;
  if (!engine) {
    return `4. See a run: neither tofu nor terraform is on the PATH. Install one, or set LOCKKEEPER_ENGINE, and start again.\n`;
  }
  const warning =
    engine.warning === undefined
      ? ''
      : `   (${engine.isolation === 'none' ? 'without a sandbox' : 'runs share the network of this machine'}: ${engine.warning})\n`;
  return `4. See what ${basename(engine.engine)} has planned, and confirm it; then queue another run, and follow its log:
${warning}${cli(start)} run follow ${demo.runId}
${cli(start)} run start ${demo.organization}/${RUN_WORKSPACE}
`;
}

/** Returns the commands that push a commit and show what it did, or what is missing for it. */
function pushes(start: DevStart): string {
  const { demo, engine, repository } = start;
  if (!(repository instanceof DemoGit)) return `5. Start a run by a push: ${repository.reason}\n`;
  if (!engine) return '5. Start a run by a push: it needs tofu or terraform too.\n';
  const git = `git -C ${quote(repository.workingCopy)}`;
  return `5. Commit and push a change; then see the run that it started:
date > ${quote(join(repository.workingCopy, CHANGED_FILE))} && ${git} commit --quiet --all --message "A new greeting"
${git} push --quiet
${cli(start)} vcs events ${demo.organization}/${REPOSITORY}
`;
}

/** Returns the start of a command line of `lockkeeper` against this demo. */
function cli({ address, certificates, demo }: DevStart): string {
  const settings = [
    `LOCKKEEPER_ADDR=${address}`,
    `LOCKKEEPER_CACERT=${quote(certificates.serverCaFile)}`,
    `LOCKKEEPER_TOKEN=${demo.userToken}`,
  ];
  return `${settings.join(' ')} npm run --silent lockkeeper --`;
}

/** Quotes a path for a shell. */
function quote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
