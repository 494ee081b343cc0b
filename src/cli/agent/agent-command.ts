import type { Command } from 'commander';
import type { AgentCommandOptions } from './agent-options.ts';

/** Command `lockkeeper agent`: executes plans and applies. Its modules are loaded when it runs. */
export function addAgent(program: Command): void {
  program
    .command('agent')
    .description('Execute runs of a server until stopped')
    .option('--config <file>', 'YAML file with settings; each setting is also a flag, which overrides the file')
    .option('--address <url>', 'URL of the server (default: LOCKKEEPER_ADDR)')
    .option('--cert <file>', 'client certificate (PEM) to log in with (default: LOCKKEEPER_CERT)')
    .option('--key <file>', 'private key (PEM) of the certificate (default: LOCKKEEPER_KEY, or the certificate file)')
    .option('--ca-cert <file>', 'CA certificates (PEM) that verify the server (default: LOCKKEEPER_CACERT)')
    .option('--role <name>', 'role to log in with (default: LOCKKEEPER_ROLE, or any role that accepts the certificate)')
    .option('--mount <path>', 'mount path of the certificate auth method (default: LOCKKEEPER_MOUNT, or cert)')
    .option('--token-file <file>', 'file with the token of an agent pool, instead of a certificate')
    .option('--forward-hosts <list>', 'comma-separated servers of VCS providers to which requests are forwarded')
    .option('--name <name>', 'name of the agent in lists (default: the host name)')
    .option('--slots <n>', 'maximum number of concurrent jobs (default: 1)')
    .option('--isolation <way>', 'isolation of runs: bubblewrap or none (default: bubblewrap)')
    .option('--network <which>', 'network of runs in a sandbox: isolated or host (default: isolated)')
    .option('--denied-addresses <list>', 'comma-separated IP addresses and CIDR blocks that runs cannot reach')
    .option('--reach-server <true|false>', 'whether runs can connect to a server on this machine (default: true)')
    .option('--job-memory <MiB>', 'maximum memory of all processes of a job (default: 4096)')
    .option('--job-processes <n>', 'maximum number of processes and threads of a job (default: 2048)')
    .option('--job-files <n>', 'maximum number of open files of each process of a job (default: 65536)')
    .option('--job-disk <MiB>', 'maximum disk space of a job (default: 10240)')
    .option('--job-cpus <n>', 'processors of a job; needs a delegated control group (default: all)')
    .option(
      '--engines <folder>',
      'folder of engines by version, such as opentofu/1.12.6/tofu; searched before the PATH',
    )
    .option('--engine <program>', 'engine to use regardless of the requested version (default: LOCKKEEPER_ENGINE)')
    .option('--engine-downloads <true|false>', 'whether to download missing engines (default: true)')
    .option('--providers <folder>', 'folder of provider packages in the layout of `terraform providers mirror`')
    .option('--provider-cache <folder>', 'folder of the provider cache, which all jobs share')
    .option('--provider-cache-size <MiB>', 'maximum size of the provider cache (default: 10240)')
    .option('--folder <folder>', 'working folder for job files; no other agent may use it')
    .option('--stop-timeout <duration>', 'time that jobs have to finish after SIGTERM (default: no limit)')
    .option('--job <id>', 'execute this job, which another agent has taken, and exit')
    .option('--job-token-file <file>', 'file with the token of that job (default: LOCKKEEPER_JOB_TOKEN_FILE)')
    .option('--embedded', 'read settings and tokens as JSON lines from standard input, and stop when it closes')
    .action(async (options: AgentCommandOptions) => await (await import('./run-agent.ts')).runAgent(options));
}
