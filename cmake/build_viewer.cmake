# cmake -DSOURCE=viewer -DBUILD=… -DPAGE=… -DNPM=… -DMODE=AUTO|ON -DTESTS=… -P build_viewer.cmake
# Builds the report page in a copy of its sources, so that the source tree stays clean. Where npm fails
# (no network), the page is empty and reports are off, unless MODE is ON.
file(REMOVE_RECURSE ${BUILD}/src ${BUILD}/test)
file(COPY ${SOURCE}/ DESTINATION ${BUILD} PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE)

function(give_up step output)
  string(CONCAT text "The report page could not be built: `${step}` failed in ${BUILD}.\n${output}\n")
  if(MODE STREQUAL ON)
    message(FATAL_ERROR "${text}")
  endif()
  message(WARNING "${text}Reports are OFF in this build; everything else works. The first build needs the network "
    "for npm. To try again, delete ${PAGE} and build.")
  file(WRITE ${PAGE} "")
endfunction()

# packages are fetched again only when their list has changed; the tests need a few more of them
file(SHA256 ${SOURCE}/package-lock.json packages)
string(APPEND packages " ${TESTS}")
set(stamp ${BUILD}/node_modules/.fetched)
set(fetched)
if(EXISTS ${stamp})
  file(READ ${stamp} fetched)
endif()
if(NOT fetched STREQUAL packages)
  set(kinds --omit=dev)
  if(TESTS)
    set(kinds --include=dev)
  endif()
  execute_process(
    COMMAND ${NPM} ci ${kinds} --ignore-scripts --prefer-offline --fetch-retries=1 --loglevel=error
    WORKING_DIRECTORY ${BUILD} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  if(NOT status EQUAL 0)
    give_up("npm ci" "${output}")
    return()
  endif()
  file(WRITE ${stamp} "${packages}")
endif()

execute_process(COMMAND ${NPM} run --silent build -- ${PAGE}
  WORKING_DIRECTORY ${BUILD} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  give_up("npm run build" "${output}")
endif()
