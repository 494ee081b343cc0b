import { expect, it } from 'vitest';
import { pkcs11Wrapper } from './pkcs11.ts';

it('starts no process after the timeout, because nothing would end it', async () => {
  const how = { mechanism: 'aes-key-wrap', hash: 'sha256', pin: { text: '1234' } } as const;
  const wrapper = pkcs11Wrapper({ type: 'pkcs11', module: '/dev/null', tokenLabel: 'token', key: 'key', ...how });
  const late = new Error('too late');
  await expect(wrapper.unwrap('wrapped', 'context', AbortSignal.abort(late))).rejects.toBe(late);
});
