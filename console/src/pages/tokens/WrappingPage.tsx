import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { send } from '../../api/request.ts';
import { Button } from '../../components/button/Button.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Area, Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Secret } from '../../components/secret/Secret.tsx';
import { Section } from '../../components/section/Section.tsx';
import { exact, long } from '../../format/time.ts';
import { useMay } from '../../shell/may.ts';
import { TokensFrame } from './TokensFrame.tsx';
import * as texts from './texts.ts';
import styles from './tokens.module.css';

const WRAP = 'POST /sys/wrapping/wrap';
type Wrapped = { readonly wrap_info: { readonly token: string } };

/** Wraps data in a single-use token, and unwraps it. */
export function WrappingPage() {
  const may = useMay(['sys/wrapping/wrap']);
  usePathLine({ request: access.request(WRAP, { body: {} }), command: 'lockkeeper write sys/wrapping/wrap KEY=VALUE' });
  return (
    <TokensFrame title={texts.wrapping}>
      <p className="soft">{texts.aWrappingTokenHands}</p>
      <div className={styles.columns}>
        {may('sys/wrapping/wrap', 'update') && <Wrap />}
        <Take />
      </div>
    </TokensFrame>
  );
}

function Wrap() {
  const [text, setText] = useState('{\n  "password": ""\n}');
  const [ttl, setTtl] = useState('5m');
  const wrap = useMutation({
    mutationFn: async () => {
      const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
      const request = { ...access.request(WRAP, { body }), headers: { 'x-vault-wrap-ttl': ttl } };
      return (await send(request)) as Wrapped;
    },
    gcTime: 0,
    onSuccess: () => setText('{}'),
  });
  return (
    <Section title={texts.wrap}>
      {wrap.data ? (
        <Secret what={texts.wrappingToken} text={wrap.data.wrap_info.token} onClose={() => wrap.reset()} />
      ) : (
        <Form
          action={texts.wrap}
          onSubmit={() => wrap.mutate()}
          busy={wrap.isPending}
          off={isObject(text) ? undefined : texts.enterAJsonObject}
          fault={wrap.error}
        >
          <Area label={texts.data} isCode rows={5} value={text} onText={setText} help={texts.aJsonObject} />
          <Field label={texts.lifetime} value={ttl} onText={setTtl} help="5m, 1h, 1d." />
        </Form>
      )}
    </Section>
  );
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function Take() {
  const [token, setToken] = useState('');
  const body = { token: token.trim() };
  const lookup = useMutation({ mutationFn: () => access.send('POST /sys/wrapping/lookup', { body }), gcTime: 0 });
  const rewrap = useMutation({
    mutationFn: () => access.send('POST /sys/wrapping/rewrap', { body }),
    gcTime: 0,
    onSuccess: () => setToken(''),
  });
  const unwrap = useMutation({
    mutationFn: () => access.send('POST /sys/wrapping/unwrap', { body }),
    gcTime: 0,
    onSuccess: () => setToken(''),
  });
  const off = token.trim() === '' && texts.enterAWrappingToken;
  const about = lookup.data?.data;
  const start = (ask: () => void) => () => {
    for (const one of [lookup, rewrap, unwrap]) one.reset();
    ask();
  };
  return (
    <Section title={texts.lookUpUnwrapRewrap}>
      <Form
        action={texts.unwrap}
        isPrimary={false}
        onSubmit={start(() => unwrap.mutate())}
        busy={unwrap.isPending}
        off={off}
        fault={lookup.error ?? rewrap.error ?? unwrap.error}
        also={
          <>
            <Button off={off} onClick={start(() => lookup.mutate())}>
              {texts.lookUp}
            </Button>
            <Button off={off} onClick={start(() => rewrap.mutate())}>
              {texts.rewrap}
            </Button>
          </>
        }
      >
        <Field
          label={texts.wrappingToken2}
          type="password"
          autoComplete="off"
          value={token}
          onText={setToken}
          help={texts.aLookupDoesNot}
        />
      </Form>
      {about && (
        <Facts
          of={[
            [texts.createdAt, <code key="path">{about.creation_path}</code>],
            [texts.created, exact(about.creation_time)],
            [texts.lifetime, long(Number(about.creation_ttl))],
          ]}
        />
      )}
      {rewrap.data && (
        <Secret what={texts.wrappingToken} text={rewrap.data.wrap_info.token} onClose={() => rewrap.reset()} />
      )}
      {unwrap.data && (
        <>
          <pre className={styles.answer}>{JSON.stringify(unwrap.data.auth ?? unwrap.data.data, null, 2)}</pre>
          <Button look="small" onClick={() => unwrap.reset()}>
            {texts.hide}
          </Button>
        </>
      )}
    </Section>
  );
}
