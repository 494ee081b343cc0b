import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApi } from '../docs/site/api/document.ts';
import { referencePages } from '../docs/site/api/reference.ts';
import { faultsOf } from '../docs/site/check.ts';
import { stagePages, write } from '../docs/site/pages.ts';
import { sidebarOf } from '../docs/site/sidebar.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** `npm run docs` builds the website, which takes too long for this suite: `.ci/run` has a step for it. */
describe('the website of the documentation', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-website-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has a page for each Markdown file, and publishes the sources that pages link to as text', () => {
    stagePages(ROOT, folder);
    const read = (path: string) => readFileSync(join(folder, path), 'utf8');
    expect(read('index.md')).toContain('](./project/contributing.md)');
    expect(read('overview.md')).toMatch(/^# Lockkeeper\n/);
    expect(read('reference/limits.md')).toContain('](/source/src/server/http1/');
    expect(read('public/source/deploy/systemd/lockkeeper.service.txt')).toContain('[Service]');
  });

  it('has a sidebar with the groups and pages of the index', () => {
    const sidebar = sidebarOf(readFileSync(join(folder, 'index.md'), 'utf8'));
    const groups = ['Get started', 'How-to', 'Concepts', 'Reference', 'Operations', 'Project'];
    expect(sidebar.map(({ text }) => text)).toEqual(groups);
    expect(sidebar[0]?.items).toContainEqual({ text: 'Install', link: '/operations/install' });
  });

  it('has a reference of the endpoints and schemas of an OpenAPI document', () => {
    const document: OpenApi = {
      info: { title: 'An API' },
      paths: {
        '/things/{id}': {
          get: { tags: ['things'], responses: { 200: json({ $ref: '#/components/schemas/Thing' }) } },
          patch: {
            tags: ['things'],
            summary: 'Change a thing',
            requestBody: json({
              type: 'object',
              required: ['data'],
              properties: {
                data: { type: 'object', properties: { name: { type: ['string', 'null'], maxLength: 9 } } },
              },
            }),
            responses: { 204: {} },
          },
        },
        '/ping': { get: { tags: ['ping'], responses: { 204: {} } } },
      },
      components: { schemas: { Thing: { type: 'object', properties: { id: { type: 'string' } } } } },
    };
    const pages = new Map(referencePages(document, '/v9').map(({ name, markdown }) => [name, markdown]));
    expect([...pages.keys()]).toEqual(['index', 'things', 'other', 'schemas']);
    expect(pages.get('things')).toContain('| 200 | [Thing](./schemas.md#thing), `application/json` |');
    expect(pages.get('things')).toContain('| `data` | object | Required. |');
    expect(pages.get('things')).toContain('| `data.name` | string or null | At most 9 characters. |');
    expect(pages.get('other')).toContain('## GET /ping');
    expect(pages.get('schemas')).toContain('## Thing');
  });

  it('is refused with a dead link, a missing heading, or a request to another origin', () => {
    const site = join(folder, 'html');
    const head = '<link rel="stylesheet" href="https://cdn.example/a.css"><link rel="icon" href="/0.1/mark.svg">';
    const links =
      '<a href="/0.1/b.html#there">b</a><a href="./c.html">c</a><a href="#gone">d</a><a href="https://e.example/">e</a>';
    write(join(site, 'a.html'), `<head>${head}</head><body>${links}<img src="//f.example/f.png"></body>`);
    write(join(site, 'b.html'), '<h1 id="there">b</h1>');
    write(join(site, 'style.css'), "@import 'https://g.example/g.css'; a { background: url(https://h.example/h.png) }");
    write(join(site, 'app.js'), 'fetch("https://i.example/");const link="https://j.example/"');
    expect(faultsOf(site, '/0.1/').toSorted()).toEqual([
      'a.html links to #gone, which does not exist',
      'a.html links to ./c.html, which does not exist',
      'a.html loads //f.example/f.png',
      'a.html loads https://cdn.example/a.css',
      'app.js loads https://i.example/',
      'style.css loads https://g.example/g.css',
      'style.css loads https://h.example/h.png',
    ]);
  });
});

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
