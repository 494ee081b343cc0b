import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { barriers, bench, describeConsole, type PageGroup, settled } from './console.ts';

const PAGES = join(import.meta.dirname, '../pages');

/**
 * Looks at each page of a half in both themes and two widths: there are no barriers, the browser complains of nothing, and nothing
 * scrolls sideways.
 * @param half the folder below `pages` with a file for each family of pages
 */
export async function visitPages(half: string): Promise<void> {
  const groups = await Promise.all(
    globSync('*.ts', { cwd: join(PAGES, half) })
      .toSorted()
      .map(
        async (file) =>
          ((await import(/* @vite-ignore */ join(PAGES, half, file))) as { readonly default: PageGroup }).default,
      ),
  );
  describeConsole(`every page of the console, without barriers: ${half}`, () => {
    const on = bench();
    // Several looks at each page of a family; clients are built beside it where everything is checked.
    it.each(groups)('$name', { timeout: 300_000 }, async ({ prepare }) => {
      const places = await prepare(on());
      const page = await on().openBoth('/~organizations', { reducedMotion: 'reduce' });
      for (const place of places) await visit(page, place);
    });
  });
}

async function visit(page: Page, place: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/app${place}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  await laidOut(page, 1440);
  expect([place, await barriers(page)]).toEqual([place, []]);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Colors are all that is another there.
  expect([place, 'dark', await barriers(page, 'colors')]).toEqual([place, 'dark', []]);
  await laidOut(page, 320);
  expect([place, 'narrow', await barriers(page, 'shapes')]).toEqual([place, 'narrow', []]);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect([place, overflow]).toEqual([place, 0]);
}

/** With the bar at the foot below everything: a row that happens to lie half behind it would seem too small a target. */
async function laidOut(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(`document.querySelectorAll('footer').forEach(({ style }) => { style.position = 'static'; })`);
  await settled(page);
  // What sizes decide, such as that a frame scrolls, is known with the next frame.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
}
