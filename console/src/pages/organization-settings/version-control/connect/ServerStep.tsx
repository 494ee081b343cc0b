import { useState } from 'react';
import { Button } from '../../../../components/button/Button.tsx';
import { Field } from '../../../../components/form/Field.tsx';
import { Form } from '../../../../components/form/Form.tsx';
import * as texts from '../texts.ts';
import { apiUrlOf, isServerUrl, type Provider, trimmed } from './providers.ts';
import type { ConnectSearch } from './steps.ts';

interface ServerStepProps {
  readonly provider: Provider;
  readonly search: ConnectSearch;
  readonly onBack: () => void;
  readonly onContinue: (server: Required<Pick<ConnectSearch, 'http' | 'api'>> & ConnectSearch) => void;
}

/** Step 2: the URLs of the provider, and a name for the connection. */
export function ServerStep({ provider, search, onBack, onContinue }: ServerStepProps) {
  const { id, label, product, urls, otherApis } = provider;
  const [name, setName] = useState(search.name ?? '');
  const [http, setHttp] = useState(search.http ?? urls?.http ?? '');
  // Undefined: it follows from the URL.
  const [typedApi, setTypedApi] = useState(search.api);
  const api = typedApi ?? urls?.api ?? apiUrlOf(provider, http);
  const apiHelp = id === 'ado_services' ? texts.orOfOneOrganization : texts.apiUrlFollows;
  return (
    <Form
      action={texts.continueText}
      onSubmit={() => onContinue({ name: name.trim(), http: trimmed(http.trim()), api: trimmed(api.trim()) })}
      off={!(isServerUrl(http.trim()) && isServerUrl(api.trim())) && texts.enterTheUrl}
      also={
        <Button look="quiet" onClick={onBack}>
          {texts.back}
        </Button>
      }
    >
      <Field
        name="name"
        label={texts.name}
        help={texts.nameOfTheConnection}
        placeholder={label}
        maxLength={255}
        value={name}
        onText={setName}
      />
      <Field
        name="http-url"
        label={texts.url}
        type="url"
        help={id === 'ado_server' ? texts.withTheCollection : texts.urlOfTheServer(product)}
        off={urls !== undefined && texts.fixedUrl}
        value={http}
        onText={(text) => {
          setHttp(text);
          setTypedApi(undefined);
        }}
        autoComplete="off"
        spellCheck={false}
      />
      {provider.id !== 'git' && (
        <Field
          name="api-url"
          label={texts.apiUrl}
          type="url"
          help={apiHelp}
          off={urls !== undefined && !otherApis && texts.fixedUrl}
          value={api}
          onText={setTypedApi}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </Form>
  );
}
