import { describe, expect, it } from 'vitest';
import { hangUpHandler } from './signals.ts';

describe('SIGHUP', () => {
  it('that comes while the server starts is made up for, once', () => {
    const onHangUp = hangUpHandler();
    process.emit('SIGHUP');
    process.emit('SIGHUP');
    let reloads = 0;
    onHangUp(() => {
      reloads += 1;
    });
    expect(reloads).toBe(1);
    process.emit('SIGHUP');
    expect(reloads).toBe(2);
  });
});
