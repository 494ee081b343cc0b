import { it } from 'vitest';
import access from './pages/variable-sets.ts';
import { bench, describeConsole, settled } from './support/console.ts';

describeConsole('shots', () => {
  const on = bench();
  it('takes them', async () => {
    const places = await access.prepare(on());
    const page = await on().openAs(on().server.userToken, '/acme/workspaces');
    for (const [n, place] of places.entries()) {
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(`/app${place}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await settled(page);
        await page.screenshot({ path: `/tmp/shots-settings/sets-${n}-${scheme}.png`, fullPage: true });
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await page.screenshot({ path: `/tmp/shots-settings/sets-${n}-390.png`, fullPage: true });
    }
  }, 120000);
});
