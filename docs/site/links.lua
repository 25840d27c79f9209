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

function Table(t) return pandoc.Div({t}, pandoc.Attr('', {'table'})) end

function Image(image)
  return pandoc.Span({pandoc.Link({image}, image.src)}, pandoc.Attr('', {'picture'}))
end
