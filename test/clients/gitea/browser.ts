import { ADMINISTRATOR } from './server.ts';

/** Just enough of a browser to sign in at Gitea and to agree to an OAuth client. */
export class Browser {
  readonly #address: string;
  readonly #cookies = new Map<string, string>();

  constructor(address: string) {
    this.#address = address;
  }

  /** Returns the code of the redirect. */
  async approve(authorizeUrl: string, password: string): Promise<string> {
    await this.#load('/user/login', { user_name: ADMINISTRATOR, password });
    const page = await this.#load(authorizeUrl);
    const fields = [...(await page.text()).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const values = Object.fromEntries(
      fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]),
    );
    const redirect = await this.#load('/login/oauth/grant', { ...values, granted: 'true' });
    const location = redirect.headers.get('location');
    const code = location && new URL(location, this.#address).searchParams.get('code');
    if (!code) throw new Error(`no code, but ${redirect.status} ${location}`);
    return code;
  }

  async #load(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(url, this.#address), {
      ...{ redirect: 'manual', headers: { cookie, origin: this.#address } },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const header of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (header.split(';')[0] ?? '').split(/=(.*)/s);
      this.#cookies.set(name, value);
    }
    return response;
  }
}
