// cells.json: { "<SHA-256 da chave, em hexadecimal>": "cell_2" }, de cada célula:
// select encode(secret_hash, 'hex') from api_keys where revoked_at is null
import crypto from 'crypto'
import fs from 'fs'

const cells = JSON.parse(fs.readFileSync('/etc/nginx/cells.json'))

function findByKey(request) {
  const key = (request.headersIn.Authorization || '').replace(/^Bearer /i, '')
  return cells[crypto.createHash('sha256').update(key).digest('hex')] || 'cell_1'
}

export default { findByKey }
