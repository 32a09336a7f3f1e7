// A provider of OpenID Connect for one walk: people and their groups come from a file, read at each sign-in.
import {readFileSync} from 'node:fs'
import {Provider} from 'oidc-provider'

const {PORT, PEOPLE, CALLBACK, CLIENT_SECRET} = process.env
const issuer = `http://127.0.0.1:${PORT}`
const claimsOf = sub => JSON.parse(readFileSync(PEOPLE, 'utf8'))[sub]
const provider = new Provider(issuer, {
  clients: [{client_id: 'import-engine', client_secret: CLIENT_SECRET, redirect_uris: [CALLBACK], token_endpoint_auth_method: 'client_secret_post'}],
  claims: {openid: ['sub', 'groups'], profile: ['preferred_username', 'name'], email: ['email', 'email_verified']},
  cookies: {keys: ['for one walk']},
  features: {devInteractions: {enabled: true}},
  findAccount: (_, sub) => claimsOf(sub) && {accountId: sub, claims: () => ({sub, ...claimsOf(sub)})}
})
provider.listen(Number(PORT), '127.0.0.1', () => console.log('ready'))
