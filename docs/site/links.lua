-- Links between pages lead to the pages of the site; files that the site has stay linked; other files become plain text.
-- A picture leads to itself, and is moved aside on a phone in place of being too small to read.
local source = os.getenv('SITE_SOURCE')
local folder = os.getenv('SITE_FOLDER')
local kept = os.getenv('SITE_KEPT')

-- "docs/student/../theory/README.md" without the dots.
local function straight(path)
  local parts = {}
  for part in path:gmatch('[^/]+') do
    if part == '..' then table.remove(parts) elseif part ~= '.' then parts[#parts + 1] = part end
  end
  return table.concat(parts, '/')
end

local pages = {}
for line in io.lines(kept) do pages[line] = true end

function Link(link)
  if link.target:match('^%a+:') or link.target:match('^#') then return nil end
  local path, anchor = link.target:match('^([^#]*)(.*)$')
  local whole = straight(folder .. '/' .. path)
  if pages[whole .. '/README.md'] then path, whole = path:gsub('/*$', '/README.md'), whole .. '/README.md' end
  if not pages[whole] then return link.content end
  link.target = path:gsub('%.md$', '.html') .. anchor
  return link
end

-- <!-- moving NAME: TEXT -->: the moving picture pictures/NAME.html, where there is one. It is loaded when it is opened.
function RawBlock(block)
  local name, text = block.text:match('^<!%-%- moving (%S+): (.-) %-%->%s*$')
  if not name then return nil end
  local file = io.open(os.getenv('SITE_OUT') .. '/pictures/' .. name .. '.html')
  if not file then return {} end
  file:close()
  local page = (folder == '.' and '' or folder .. '/'):gsub('[^/]+/', '../') .. 'pictures/' .. name .. '.html'
  return pandoc.RawBlock('html', string.format('<details class="moving"><summary>Play it: %s</summary>' ..
    '<iframe src="%s" title="%s, step by step" loading="lazy"></iframe><p><a href="%s">The picture on a page of its own</a></p></details>',
    text, page, text, page))
end

-- A long path or list may go on in the next line, behind a slash, an underscore, a comma or a bar: it would make a table's column wider than all others together.
-- An option stays in one line: browsers would break it behind its hyphens.
function Code(code)
  local text = code.text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;')
  local shown = text:gsub('%f[^%s%z]%-+%w[%w-]*', '\1%0\2')
  local breaks = #code.text >= 48 and '[/_,|.]' or '[/_,|]' -- names of instructions have dots alone
  if #code.text >= 30 and code.text:match(#code.text >= 48 and '[/,|.]' or '[/,|]') then shown = shown:gsub(breaks, '%0<wbr>') end
  if shown == text then return nil end
  return pandoc.RawInline('html', '<code>' .. shown:gsub('\1', '<span class="option">'):gsub('\2', '</span>') .. '</code>')
end

-- The number of an erratum stays in one line.
local function keep_number(word)
  return word.text:match('^[%dH]+%-%d+$') and pandoc.Span({word}, pandoc.Attr('', {'number'})) or nil
end

-- A cell of several words is wide enough to be read.
local function widen_text(t)
  for _, body in ipairs(t.bodies) do
    for _, row in ipairs(body.body) do
      for _, cell in ipairs(row.cells or row[2]) do
        local _, spaces = pandoc.utils.stringify(cell.contents):gsub('%s+', '')
        if spaces >= 8 then cell.contents = {pandoc.Div(cell.contents, pandoc.Attr('', {'text'}))} end
      end
    end
  end
  return t
end

function Table(t)
  return pandoc.Div({pandoc.walk_block(widen_text(t), {Str = keep_number})}, pandoc.Attr('', {'table'}))
end

function Image(image)
  return pandoc.Span({pandoc.Link({image}, image.src)}, pandoc.Attr('', {'picture'}))
end
