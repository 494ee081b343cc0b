import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plain } from '../tofu/configurations.ts';
import { CLIENTS, flat, Remote } from './remote.ts';

const PLAIN = ['-no-color', '-input=false'];

let server: Remote;
beforeAll(async () => {
  server = await Remote.start();
});
afterAll(() => server.stop());

const withCloud = CLIENTS.filter(({ backend }) => backend === 'cloud');

describe.concurrent.each(withCloud)('$client, a saved plan', ({ client, program }) => {
  const make = (what: string) => server.project(`${what}-${client}`, plain('app', 'first'), { program });

  it('is shown, and applied once', async () => {
    const here = await make('saved');
    const planned = await here.done('plan', '-out=saved.plan', ...PLAIN);
    expect(planned).toContain('Saved the plan to: saved.plan');
    expect(JSON.parse(readFileSync(join(here.folder, 'saved.plan'), 'utf8'))).toMatchObject({
      run_id: expect.stringMatching(/^run-/),
      hostname: server.installation.relay.host,
    });
    const shown = await here.done('show', '-no-color', 'saved.plan');
    expect(shown).toContain('# terraform_data.app will be created');
    expect(shown).toContain('Run status: planned and saved (confirmable)');
    expect(shown).toContain('Workspace is unlocked');
    expect(JSON.parse(await here.done('show', '-json', 'saved.plan'))).toMatchObject({
      planned_values: { root_module: { resources: [{ address: 'terraform_data.app', values: { input: 'first' } }] } },
      resource_changes: [{ address: 'terraform_data.app', change: { actions: ['create'] } }],
    });
    expect(await here.done('apply', ...PLAIN, 'saved.plan')).toContain('1 added, 0 changed, 0 destroyed');
    expect(await server.resources(`saved-${client}`)).toEqual(['terraform_data.app']);
    const again = await here.run('apply', ...PLAIN, 'saved.plan');
    expect([again.code, flat(again.stderr)]).toEqual([1, expect.stringContaining('Saved plan is already applied')]);
    expect(await here.done('show', '-no-color', 'saved.plan')).toContain('Run status: applied');
  });

  it('is refused when the state has changed', async () => {
    const here = await make('stale');
    await here.done('plan', '-out=saved.plan', ...PLAIN);
    here.write('main.tf', plain('other'));
    await here.apply();
    const { code, stderr } = await here.run('apply', ...PLAIN, 'saved.plan');
    expect(code).toBe(1);
    expect(flat(stderr)).toContain('Error: Saved plan is discarded');
    expect(flat(stderr)).toContain('either another run was applied first, or a user discarded it');
    expect(await here.done('show', '-no-color', 'saved.plan')).toContain('Run status: discarded (not confirmable)');
    expect(await server.resources(`stale-${client}`)).toEqual(['terraform_data.other']);
  });

  it('of a workspace is not applied in another one', async () => {
    const here = await make('mine');
    await here.done('plan', '-out=saved.plan', ...PLAIN);
    const there = await make('theirs');
    there.write('saved.plan', readFileSync(join(here.folder, 'saved.plan'), 'utf8'));
    const { code, stderr } = await there.run('apply', ...PLAIN, 'saved.plan');
    expect([code, flat(stderr)]).toEqual([1, expect.stringContaining('for a different workspace')]);
  });

  it('with nothing to do is not applied', async () => {
    const here = await make('empty');
    await here.apply();
    expect(await here.done('plan', '-out=saved.plan', ...PLAIN)).toContain('No changes.');
    const { code, stderr } = await here.run('apply', ...PLAIN, 'saved.plan');
    expect([code, flat(stderr)]).toEqual([1, expect.stringContaining('no changes')]);
  });

  it('from a local plan file is refused by the command line', async () => {
    const here = await make('foreign');
    here.write('saved.plan', 'not a plan');
    expect((await here.run('apply', ...PLAIN, 'saved.plan')).code).toBe(1);
    expect(await server.run(`foreign-${client}`)).toBeUndefined();
  });
});
