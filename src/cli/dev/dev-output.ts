import type { Demo } from './demo-data.ts';
import type { DevCertificates } from './dev-certificates.ts';

/** A running demo, as far as it is shown. */
export interface DevStart {
  readonly address: string;
  readonly pid: number;
  readonly certificates: DevCertificates;
  readonly demo: Demo;
}

/** For scripts: one line. */
export function jsonLine({ address, pid, certificates, demo }: DevStart): string {
  const line = {
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

/** For people: where things are, and four lines that work as they stand. */
export function welcome({ address, pid, certificates, demo }: DevStart, directory: string, logFile: string): string {
  const curl = `curl -s --cacert ${quote(certificates.serverCaFile)}`;
  const client = `--cert ${quote(certificates.clientCertificateFile)} --key ${quote(certificates.clientKeyFile)}`;
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const api = `${address}/api/v2`;
  return `
Lockkeeper is running: ${address}   (a demo: never put real secrets in it)

  folder       ${directory}
  log          ${logFile}
  root token   ${demo.rootToken}   (access API, everything)
  user token   ${demo.userToken}   (workspace API, owner of the organization ${demo.organization})

Paste these into another terminal.

1. Log in with the certificate:
TOKEN=$(${curl} ${client} -X POST ${address}/v1/auth/cert/login | sed 's/.*"client_token":"\\([^"]*\\)".*/\\1/') && echo "$TOKEN"

2. List the workspaces with the token that came back:
${curl} ${bearer} ${api}/organizations/${demo.organization}/workspaces

3. Lock one with it:
${curl} ${bearer} -X POST ${api}/workspaces/${demo.unlockedWorkspaceId}/actions/lock

4. Stop:
kill ${pid}

`;
}

/** A path that a shell takes as one word. */
function quote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
