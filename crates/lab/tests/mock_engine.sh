#!/bin/sh
# A USI engine that misbehaves: the option Vice says how. It plays from the list in $MOVES, one per go.
vice=none
while read -r word rest; do
    case "$word" in
    usi) printf '%s\n' 'id name mock' 'option name Vice type string default none' 'option name Size type spin default 1 min 1 max 9' \
        'option name Loud type check default false' 'option name Style type combo default calm var calm var sharp' usiok ;;
    setoption) case "$rest" in *Vice*) vice=${rest##* } ;; esac ;;
    isready) [ $vice = unready ] && echo 'info string Error! no net'; echo readyok ;;
    go)
        case "$vice" in
        crash) echo 'info string I am about to die'; exit 3 ;;
        stall) echo 'info string thinking hard' ;;
        late) sleep 0.4; echo 'bestmove resign' ;;
        illegal) echo 'bestmove 5i5a' ;;
        speechless) echo 'bestmove resign' ;;
        illegible) echo 'bestmove castle' ;;
        declare) echo 'bestmove win' ;;
        flood) i=0; while [ $i -lt 3000 ]; do echo "info string la la $i"; i=$((i + 1)); done; echo 'bestmove resign' ;;
        endless) while :; do echo 'info string la la la'; done ;;
        garbage) head -c 200000 /dev/urandom; printf '\nbestmove resign\n' ;;
        *) printf 'info depth 3 score cp -99 nodes 7 pv 7g7f\nbestmove resign\n' ;;
        esac
        ;;
    quit) exit 0 ;;
    esac
done
