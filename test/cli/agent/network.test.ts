import { execFileSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Command } from '../../support/command.ts';
import { writeEngine } from '../../support/runner/fake-engine.ts';
import { Installation, soon } from '../../support/runner/installation.ts';
import { hasNetworks, isolations } from '../../support/runner/run.ts';

// Loopback addresses without an interface: runs take them for external addresses.
const OUTSIDE = '198.51.100.7';
const DENIED = '203.0.113.9';
const METADATA = '169.254.169.254';
const RESOLVER = '127.0.0.77';
const own = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
const inSandbox = isolations.some(({ name }) => name === 'bubblewrap');
const isRoot = process.getuid?.() === 0;

/** Script of a run that connects to URLs: prints `reached ADDRESS`, or the error. */
const asks = (urls: readonly string[]): string =>
  urls.map((url) => `curl -skS -m 5 '${url}' 2>&1; curl -skS -m 5 --interface eth0 '${url}' 2>&1`).join('\n');

/** Processes of the networks that forward to a port of this machine. */
const networksTo = (port: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`--tcp-ns\0${port}\0`);
    } catch {
      return false;
    }
  });

describe.skipIf(!hasNetworks || !isRoot)(
  'the network of a run (needs root, bwrap, pasta, nft)',
  { timeout: 120_000 },
  () => {
    let installation: Installation;
    const servers: Server[] = [];
    const routes = [OUTSIDE, DENIED, METADATA].map((address) => ['local', address, 'dev', 'lo']);
    beforeAll(async () => {
      for (const route of routes) execFileSync('ip', ['route', 'replace', ...route]);
      installation = await Installation.start();
    });
    afterAll(async () => {
      for (const server of servers) server.close();
      await installation.stop();
      for (const route of routes) execFileSync('ip', ['route', 'del', ...route]);
    });

    const agents: Command[] = [];
    afterEach(async () => {
      for (const agent of agents.splice(0)) {
        agent.signal('SIGKILL');
        await agent.ended();
      }
    });

    const start = (script: string, args: readonly string[] = [], within: readonly string[] = []): Command => {
      const engine = writeEngine(installation.folder, script);
      const agent = installation.agent(
        ['--engine', engine, '--token-file', installation.tokenFile, ...args],
        {},
        within,
      );
      agents.push(agent);
      return agent;
    };

    const logOfRun = async (): Promise<string> => {
      const run = await installation.run(await installation.workspace(), { 'main.tf': '' });
      await installation.until(run, 'errored');
      return await installation.logOf(run, 'plan');
    };

    /** @returns the URL of the service */
    const serving = async (host: string): Promise<string> => {
      const server = createServer((_, answer) => answer.end(`reached ${host}\n`)).listen(0, host);
      servers.push(server);
      await once(server, 'listening');
      return `http://${host}:${(server.address() as AddressInfo).port}/`;
    };

    test('reaches the outside and the server, and nothing else on the machine or in its cloud', async () => {
      const hosts = [OUTSIDE, DENIED, METADATA, '127.0.0.1', ...(own === undefined ? [] : [own])];
      const urls = await Promise.all(hosts.map(serving));
      for (const url of urls) expect(await (await fetch(url)).text()).toMatch(/^reached/);
      start(`${asks(urls)}\ncurl -skS -m 5 '${installation.address}/v1/sys/health'`, [
        ...['--denied-addresses', '203.0.113.0/24'],
      ]);
      const log = await logOfRun();
      expect(log.match(/reached \S+/g), log).toEqual([`reached ${OUTSIDE}`, `reached ${OUTSIDE}`]);
      expect(log).toContain('"initialized":true');
    });

    test('does not reach the server with --reach-server false', async () => {
      start(`curl -skS -m 5 '${installation.address}/v1/sys/health' 2>&1; echo end`, ['--reach-server', 'false']);
      const log = await logOfRun();
      expect(log).toMatch(/end$/m);
      expect(log).not.toContain('initialized');
    });

    test("resolves names, also with a resolver on the machine's loopback", async () => {
      const settings = join(installation.folder, 'resolv.conf');
      writeFileSync(settings, `nameserver ${RESOLVER}\nsearch example.com\n`);
      const resolver = await answering(RESOLVER, OUTSIDE);
      const mount = `mount --bind '${settings}' /etc/resolv.conf && exec "$@"`;
      start('getent ahostsv4 name.example.org; cat /etc/resolv.conf', [], ['unshare', '-m', 'sh', '-c', mount, 'sh']);
      const log = await logOfRun();
      resolver.close();
      expect(log).toMatch(new RegExp(`^${OUTSIDE}\\s+STREAM`, 'm'));
      expect(log).not.toContain(RESOLVER);
      expect(log).toContain('search example.com');
    });

    test('ends with its run, and with an agent that is killed', async () => {
      const { port } = new URL(installation.address);
      const agent = start('echo begun; sleep 300');
      const run = await installation.run(await installation.workspace(), { 'main.tf': '' });
      await installation.untilLogged(run, 'plan', 'begun');
      expect(networksTo(port)).not.toEqual([]);
      agent.signal('SIGKILL');
      await soon(() => networksTo(port).length === 0, 'no network is left');
      await installation.user('POST', `/runs/${run}/actions/cancel`);
      await installation.user('POST', `/runs/${run}/actions/force-cancel`);
    });
  },
);

describe.skipIf(!inSandbox)('without its own network (needs bwrap)', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-network-'));
  const tools = mkdtempSync(join(tmpdir(), 'tools-'));
  beforeAll(() => {
    for (const tool of ['bwrap', 'unshare']) {
      symlinkSync(execFileSync('which', [tool]).toString().trim(), join(tools, tool));
    }
  });
  const agent = (args: readonly string[] = []): Command => {
    writeFileSync(join(folder, 'token'), 'lka.x');
    const place = ['--address', 'http://127.0.0.1:1', '--token-file', join(folder, 'token'), '--folder', folder];
    return new Command(['agent', ...place, ...args], { PATH: tools });
  };

  test("without the network tools, an agent names them and does not start, unless it may share the machine's network", async () => {
    const { code, stderr } = await agent().ended();
    expect(code).toBe(1);
    expect(stderr).toContain('Runs cannot have their own network: pasta (package passt) is not on the PATH.');
    expect(stderr).toContain('set network to host: then runs can reach every service of this machine');
    const told = agent(['--network', 'host']);
    await soon(() => told.stderr.includes('network is host: runs can reach every service'), 'it says so');
    told.signal('SIGKILL');
    await told.ended();
  });

  test('broken tools are refused with their error message', async () => {
    const broken = mkdtempSync(join(tmpdir(), 'broken-'));
    for (const tool of readdirSync(tools)) symlinkSync(join(tools, tool), join(broken, tool));
    for (const tool of ['pasta', 'nft']) {
      writeFileSync(join(broken, tool), `#!/bin/sh\necho "no ${tool} today" >&2\nexit 1\n`, { mode: 0o755 });
    }
    const { stderr } = await new Command(
      ['agent', '--address', 'http://127.0.0.1:1', '--token-file', join(folder, 'token'), '--folder', folder],
      { PATH: broken },
    ).ended();
    expect(stderr).toContain('Runs cannot have their own network: ');
    expect(stderr).toContain('pasta: no pasta today');
  });

  test('a server that trusts proxies on this machine refuses runs in its network', async () => {
    const config = join(folder, 'lockkeeper.yaml');
    const refused = async (proxies: string, agentSettings: string): Promise<string> => {
      writeFileSync(
        config,
        `listeners:
  - address: 127.0.0.1:0
    services: [access, workspaces]
    plain_http: true
    forwarded_client_certificates: { trusted_proxies: [${proxies}], format: rfc9440 }
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
workspaces: { execution: embedded, embedded_agent: ${agentSettings} }
`,
      );
      writeFileSync(join(folder, 'keyring.json'), '{}', { mode: 0o600 });
      const { code, stderr } = await new Command(['serve', '--config', config]).ended();
      expect(code).not.toBe(0);
      return stderr;
    };
    const covered =
      /trusted_proxies of a listener include this machine, and runs of the embedded agent share its network/;
    expect(await refused('127.0.0.1', '{ network: host }')).toMatch(covered);
    expect(await refused("'::1'", '{ isolation: none }')).toMatch(covered);
    if (own !== undefined) expect(await refused(`${own}/32`, '{ network: host }')).toMatch(covered);
    expect(await refused('127.0.0.0/8', '{ network: isolated }')).not.toMatch(covered);
    expect(await refused('192.0.2.200', '{ network: host }')).not.toMatch(covered);
  });
});

/** A resolver that answers every question with one address. */
async function answering(host: string, address: string): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address: from }) => {
    let end = 12;
    while (question[end]) end += (question[end] ?? 0) + 1;
    const isA = question.readUInt16BE(end + 1) === 1;
    const header = Buffer.concat([
      question.subarray(0, 2),
      Buffer.from([0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]),
    ]);
    const answer = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, ...address.split('.').map(Number)];
    socket.send(
      Buffer.concat([header, question.subarray(12, end + 5), ...(isA ? [Buffer.from(answer)] : [])]),
      port,
      from,
    );
  });
  socket.bind(53, host);
  await once(socket, 'listening');
  return socket;
}
