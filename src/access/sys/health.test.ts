import { describe, expect, it } from 'vitest';
import { healthReply, type ServerHealth } from './health.ts';

const facts = {
  version: '1.16.0+lockkeeper.0.1.0',
  cluster: { cluster_name: 'lockkeeper', cluster_id: 'c' },
  storageType: 'sqlite',
};
const WELL = { ok: true, detail: '' };
const ILL = { ok: false, detail: 'no audit device accepts entries' };

const READY: ServerHealth = { ready: true, checks: [{ name: 'database-access', ok: true }] };
const FULL: ServerHealth = {
  ready: false,
  checks: [
    { name: 'accepting', ok: true },
    { name: 'database-access', ok: false, reason: 'ENOSPC' },
  ],
};

const reply = (query: Record<string, unknown>, audit = WELL, server = READY) =>
  healthReply(query, facts, { audit, server }, 1_800_000_000_999);
const status = (query: Record<string, unknown>, audit = WELL) => reply(query, audit).status;

describe('health', () => {
  it("has status 200, or the caller's active code", () => {
    expect(status({})).toBe(200);
    expect(status({ activecode: '299' })).toBe(299);
    expect(status({ standbyok: '', perfstandbyok: 'true', sealedcode: '299', drsecondarycode: 'x' })).toBe(200);
  });

  it('has the status of a sealed server if the audit log cannot be written, with the reason', () => {
    expect(status({}, ILL)).toBe(503);
    expect(status({ activecode: '299', sealedcode: '298' }, ILL)).toBe(298);
    expect(reply({}, ILL).bare).toMatchObject({
      sealed: false,
      audit: { ok: false, detail: 'no audit device accepts entries' },
    });
    expect(reply({}).bare).not.toHaveProperty('audit');
  });

  it('has the status of a sealed server if it is not ready, with the failing checks', () => {
    const { bare, status } = reply({}, WELL, FULL);
    expect(status).toBe(503);
    expect(bare).toMatchObject({ failing: [{ name: 'database-access', ok: false, reason: 'ENOSPC' }] });
    expect(reply({ sealedcode: '298' }, WELL, FULL).status).toBe(298);
    expect(reply({}).bare).not.toHaveProperty('failing');
  });

  it('returns the time in whole seconds', () => {
    expect(reply({}).bare).toMatchObject({ server_time_utc: 1_800_000_000 });
  });

  it.each(['', '0', '199', '600', '-200', 'ok', '200.5', '1e3', ['200', '201']])('refuses the status %j', (code) => {
    for (const name of ['activecode', 'standbycode', 'sealedcode', 'uninitcode']) {
      expect(() => status({ [name]: code })).toThrow(name);
    }
  });
});
